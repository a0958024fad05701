import type { Job, JobState, Queue } from './types';

const WORDS: Record<JobState, string> = {
  waiting: 'waits for other jobs',
  counting: 'counts its messages',
  ready: 'ready to start',
  running: 'runs',
  canary: 'waits for the canary',
  paused: 'paused',
  done: 'done',
  canceled: 'canceled',
  failed: 'failed',
};

export function stateText(job: Job): string {
  return WORDS[job.state] ?? job.state;
}

export function hasEnded(job: Job): boolean {
  return job.state === 'done' || job.state === 'canceled' || job.state === 'failed';
}

/** Returns whether the job works or waits without a person. */
export function isActive(job: Job): boolean {
  return !hasEnded(job) && job.state !== 'ready' && job.state !== 'paused';
}

/** Returns the class of the chip of a state. */
export function tone(job: Job): string {
  return job.state === 'failed' ? 'bad' : job.state === 'done' ? 'good' : job.state === 'canceled' ? 'quiet' : job.state === 'paused' || job.state === 'ready' ? '' : 'accent';
}

/** Returns the entity and the queue of a path such as orders/$DeadLetterQueue. */
export function placeOf(path: string): { entity: string; queue: Queue } {
  const suffix = /(\/\$transfer)?\/\$deadletterqueue$/i.exec(path);
  return suffix ? { entity: path.slice(0, suffix.index), queue: suffix[1] ? 'transferDeadLetter' : 'deadLetter' } : { entity: path, queue: '' };
}
