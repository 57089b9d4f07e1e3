export { PeriodicTask, type PeriodicTaskOptions } from './periodic-task.js';
export { Semaphore, Semaphores, type SemaphoreOptions } from './semaphore.js';
