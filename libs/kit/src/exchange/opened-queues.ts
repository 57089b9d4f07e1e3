import { type Queue } from 'bullmq';

/** The queues that are open, by name. One that failed to open is opened anew by the next call. */
export class OpenedQueues {
  private readonly queues = new Map<string, Promise<Queue>>();

  constructor(private readonly openOnce: (name: string) => Promise<Queue>) {}

  open(name: string): Promise<Queue> {
    const known = this.queues.get(name);
    if (known) return known;
    const opening = this.openOnce(name);
    this.queues.set(name, opening);
    opening.catch(() => this.queues.delete(name));
    return opening;
  }

  async close(): Promise<void> {
    const closing = [...this.queues.values()].map(async (queue) => (await queue).close());
    await Promise.allSettled(closing);
  }
}
