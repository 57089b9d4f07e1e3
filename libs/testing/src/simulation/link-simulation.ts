/**
 * A link that becomes one session, in a world of a seed: visitors open it at the same time, their answers are lost,
 * some never come back, and it may be revoked.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isBroken, type SteppedDatabase } from './stepped-database.js';
import { simulateSeed, World } from './world.js';

const VISITORS_MAX = 4;
const TRIES = 6;
const TRIES_ALONE = 50;
/** Then a visitor gives up. */
const REFUSALS_MAX = 2;
/** Chance that an answer does not reach the browser. */
const LOST = 0.25;
const REOPENS_MS = 120_000;
const STEPS_MAX = 5_000;

/** A new link, as its pages use it, each time on some replica. */
export interface SimulatedLink {
  /** @returns the cookie of the session; undefined if the link cannot be opened */
  open(): Promise<string | undefined>;
  /** Whether a cookie lets in. */
  enter(cookie: string): Promise<boolean>;
  revoke(): Promise<unknown>;
}

interface Opening {
  cookie: string;
  start: number;
  end: number;
}

/**
 * @param create makes a link, whose operations run on connections that may break
 * @returns the faults of a seed: none if the link has one session
 */
export const simulateLink = (
  seed: number,
  database: SteppedDatabase,
  create: (mayBreak: boolean) => Promise<SimulatedLink>,
): Promise<string[]> =>
  simulateSeed(seed, async (scheduler, numbers) => {
    let isAlone = true;
    const settled = () => database.settled();
    const world = new World(scheduler, numbers, () => !isAlone, settled);
    database.enter(world);
    isAlone = world.chance(0.2);
    const link = await create(!isAlone);
    const visits = new Visits(world, link, isAlone);
    await world.run(() => visits.all(), STEPS_MAX);
    return world.faults;
  });

class Visits {
  /** The order in which operations begin and end. */
  private order = 0;
  private readonly openings: Opening[] = [];
  private readonly entered = new Set<number>();
  private firstOpenedMs = Infinity;
  private enteredAt = Infinity;
  private revokedAt = Infinity;

  /** @param isAlone one visitor, whose answers are lost */
  constructor(
    private readonly world: World,
    private readonly link: SimulatedLink,
    private readonly isAlone: boolean,
  ) {}

  async all(): Promise<void> {
    const { world, isAlone } = this;
    const count = isAlone ? 1 : 2 + world.pick(VISITORS_MAX - 1);
    const visitors = Array.from({ length: count }, (_, visitor) => this.visit(visitor));
    await Promise.all([...visitors, this.revoke()]);
    if (isAlone && this.entered.size === 0) world.fault('usable: the only visitor was not let in');
  }

  private async revoke(): Promise<void> {
    const { world } = this;
    if (this.isAlone || !world.chance(0.3)) return;
    await sleep(world.pick(3_000));
    if (await this.done(() => this.link.revoke())) this.revokedAt = this.order += 1;
  }

  private async visit(visitor: number): Promise<void> {
    const { world, isAlone } = this;
    const isForgetful = !isAlone && world.chance(0.4);
    let refusals = 0;
    for (let n = 0; isAlone ? this.entered.size === 0 && n < TRIES_ALONE : n < TRIES; n++) {
      await sleep(world.pick(1_000) * (isAlone || world.chance(0.7) ? 1 : 90));
      const cookie = await this.open();
      if (cookie === undefined && !isAlone && ++refusals === REFUSALS_MAX) return;
      if (cookie === undefined || isForgetful || world.chance(LOST)) continue;
      for (let times = 1 + world.pick(3); times > 0; times--) {
        await this.enter(visitor, cookie);
        await sleep(world.pick(500));
      }
    }
  }

  private async open(): Promise<string | undefined> {
    const { world } = this;
    const startMs = world.now;
    const start = (this.order += 1);
    const cookie = await this.done(() => this.link.open());
    if (cookie === undefined) return undefined;
    if (this.enteredAt < start) world.fault('opened: after it was entered');
    if (this.revokedAt < start) world.fault('revoked: it was opened afterwards');
    if (startMs - this.firstOpenedMs > REOPENS_MS) world.fault('opened: after two minutes');
    this.firstOpenedMs = Math.min(this.firstOpenedMs, world.now);
    this.openings.push({ cookie, start, end: (this.order += 1) });
    return cookie;
  }

  private async enter(visitor: number, cookie: string): Promise<void> {
    const { world, openings } = this;
    const start = (this.order += 1);
    if (!(await this.done(() => this.link.enter(cookie)))) return;
    if (this.revokedAt < start) world.fault('revoked: a session went on');
    const own = openings.find((each) => each.cookie === cookie) as Opening;
    const isReplaced = openings.some((each) => each.start > own.end && each.end < start);
    if (isReplaced) world.fault('one session: an old cookie was let in');
    this.entered.add(visitor);
    if (this.entered.size > 1) world.fault('one session: two visitors were let in');
    this.enteredAt = Math.min(this.enteredAt, (this.order += 1));
  }

  /** @returns undefined if the answer was lost on the way */
  private async done<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isBroken(error)) this.world.fault(`error: ${String(error)}`);
      return undefined;
    }
  }
}
