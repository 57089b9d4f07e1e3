export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { Semaphore, SemaphorePerKey, type SemaphoreOptions } from './semaphore.js';
