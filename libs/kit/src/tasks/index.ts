export { type BatchCall, Batcher } from './batcher.js';
export { FairShare } from './fair-share.js';
export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { Semaphore, Semaphores, type SemaphoreOptions } from './semaphore.js';
