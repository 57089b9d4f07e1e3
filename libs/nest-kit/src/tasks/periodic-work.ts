import { PeriodicTask, type PeriodicTaskOptions } from '@gatehouse/kit/tasks';
import { type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';

/** Work that repeats from the start of the process until its shutdown begins. */
export abstract class PeriodicWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly tasks: readonly PeriodicTask[];

  constructor(...tasks: readonly PeriodicTaskOptions[]) {
    this.tasks = tasks.map((options) => new PeriodicTask(options));
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }
}
