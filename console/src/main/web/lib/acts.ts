import { may } from './session.svelte';
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

/** Returns the acts that make sense in a queue and that the key permits. */
export function actsIn(queue: Queue): Act[] {
  const acts: Act[] = [];
  const manage = may('Manage');
  const sends = may('Listen', 'Send');
  if (queue !== '' && sends) {
    acts.push('resubmit');
  }
  if (manage && sends) {
    acts.push('move');
  }
  if (sends) {
    acts.push('copy');
  }
  if (queue === '' && manage) {
    acts.push('deadLetter');
  }
  if (queue === '' && sends) {
    acts.push('deliverNow', 'reschedule');
  }
  if (manage) {
    acts.push('unlock', 'delete');
  }
  return acts;
}
