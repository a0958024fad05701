import { allows, session } from './session.svelte';
import type { Queue } from './types';

export type Act = 'resubmit' | 'move' | 'copy' | 'delete' | 'deadLetter' | 'deliverNow' | 'reschedule' | 'unlock';

interface Words {
  title: string;
  verb: string;
  past: string;
  place: string;
  rest: string;
  danger: boolean;
}

export const ACTS: Record<Act, Words> = {
  resubmit: { title: 'Resubmit', verb: 'Resubmit', past: 'resubmitted', place: 'of', rest: '. They are sent again as new messages, and leave this queue.', danger: false },
  move: { title: 'Move', verb: 'Move', past: 'moved', place: 'of', rest: '.', danger: false },
  copy: { title: 'Copy', verb: 'Copy', past: 'copied', place: 'of', rest: '. The originals stay.', danger: false },
  delete: { title: 'Delete', verb: 'Delete', past: 'deleted', place: 'from', rest: '. You cannot get them back.', danger: true },
  deadLetter: { title: 'Dead-letter', verb: 'Dead-letter', past: 'dead-lettered', place: 'of', rest: '.', danger: false },
  deliverNow: { title: 'Deliver now', verb: 'Deliver', past: 'delivered', place: 'of', rest: ' now. They get new sequence numbers.', danger: false },
  reschedule: { title: 'Reschedule', verb: 'Reschedule', past: 'rescheduled', place: 'of', rest: '. They get new sequence numbers.', danger: false },
  unlock: { title: 'Unlock', verb: 'Unlock', past: 'unlocked', place: 'of', rest: '. Their receivers lose the locks, and others may get the messages.', danger: true },
};

const SENDS = ['Listen', 'Send'];
const RIGHTS: Record<Act, string[]> = {
  resubmit: SENDS,
  move: ['Manage', ...SENDS],
  copy: SENDS,
  deadLetter: ['Manage'],
  deliverNow: SENDS,
  reschedule: SENDS,
  unlock: ['Manage'],
  delete: ['Manage'],
};

/** The states of the messages that an act can change, for a job that is ordered for all states. */
const STATES: Record<Act, string> = {
  resubmit: 'active,deferred',
  move: 'active,deferred,scheduled',
  copy: 'active,locked,deferred,scheduled',
  deadLetter: 'active,deferred',
  deliverNow: 'scheduled',
  reschedule: 'scheduled',
  unlock: 'locked',
  delete: 'active,deferred,scheduled',
};

export function permits(act: Act): boolean {
  return allows('operator', ...RIGHTS[act]);
}

/** Returns whether the key can order jobs, and follow them. A key of one entity cannot. */
export function mayOrder(act: Act): boolean {
  return permits(act) && allows('operator', 'Listen') && !session.info?.entity;
}

/** Returns the acts that make sense in a queue and that the key permits. */
export function actsIn(queue: Queue): Act[] {
  const acts: Act[] = queue === '' ? ['move', 'copy', 'deadLetter', 'deliverNow', 'reschedule', 'unlock', 'delete'] : ['resubmit', 'move', 'copy', 'unlock', 'delete'];
  return acts.filter(permits);
}

/** Returns the states that a job needs: those on the page, or all that the act can change. */
export function statesOf(act: Act, shown: string): string {
  return shown || STATES[act];
}
