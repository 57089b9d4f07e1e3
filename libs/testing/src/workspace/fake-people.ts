/**
 * The users, groups and members of a fake provider. They are computed from their number when a page
 * asks for them, so that 50,000 of them take no memory; only what a test changes is kept.
 */
export interface FakePerson {
  id: string;
  email: string;
  givenName: string;
  familyName: string;
  title: string;
  department: string;
  phone: string;
  employeeNumber: string;
  orgUnit: string;
  isSuspended: boolean;
}

export interface FakeGroup {
  id: string;
  email: string;
  name: string;
}

export interface FakeMember {
  id: string;
  email: string;
  kind: 'user' | 'group';
}

export interface FakePeopleOptions {
  users?: number;
  groups?: number;
  membersPerGroup?: number;
  domain?: string;
}

const DEPARTMENTS = ['Sales', 'Engineering', 'Finance', 'Support'];

/** A change that a test made, with the entry before it. */
export interface FakeChange<Entry> {
  number: number;
  /** Undefined if it was not there, or only its members have changed. */
  before: Entry | undefined;
  isOfMembers: boolean;
}

/** Numbered entries, some of them changed or removed. */
class Numbered<Entry extends object> {
  /** In order. */
  readonly journal: FakeChange<Entry>[] = [];
  private readonly changes = new Map<number, Partial<Entry>>();
  private readonly gone = new Set<number>();

  constructor(
    public count: number,
    private readonly original: (number: number) => Entry,
  ) {}

  isGone(number: number): boolean {
    return this.gone.has(number);
  }

  at(number: number): Entry {
    return { ...this.original(number), ...this.changes.get(number) };
  }

  change(number: number, values: Partial<Entry>): void {
    this.journal.push({ number, before: this.at(number), isOfMembers: false });
    this.changes.set(number, { ...this.changes.get(number), ...values });
  }

  remove(number: number): void {
    this.journal.push({ number, before: this.at(number), isOfMembers: false });
    this.gone.add(number);
  }

  restore(number: number): void {
    this.journal.push({ number, before: undefined, isOfMembers: false });
    this.gone.delete(number);
  }

  /** Up to `size` entries from a number on, and the number after the last; null at the end. */
  page(from: number, size: number): { entries: Entry[]; next: number | null } {
    const entries: Entry[] = [];
    let number = from;
    for (; number < this.count && entries.length < size; number += 1) {
      if (!this.gone.has(number)) entries.push(this.at(number));
    }
    return { entries, next: number < this.count ? number : null };
  }
}

export class FakePeople {
  readonly domain: string;
  readonly users: Numbered<FakePerson>;
  readonly groups: Numbered<FakeGroup>;
  private readonly membersPerGroup: number;
  private readonly membersOf = new Map<string, FakeMember[]>();

  constructor(options: FakePeopleOptions = {}) {
    const { users = 3, groups = 1, membersPerGroup = 2, domain = 'example.com' } = options;
    this.domain = domain;
    this.membersPerGroup = membersPerGroup;
    this.users = new Numbered(users, (number) => person(number, domain));
    this.groups = new Numbered(groups, (number) => ({
      id: `group-${number}`,
      email: `group-${number}@${domain}`,
      name: `Group ${number}`,
    }));
  }

  /** Replaces the members of a group. */
  setMembers(groupId: string, members: FakeMember[]): void {
    const number = Number(/\d+$/.exec(groupId)?.[0] ?? NaN);
    this.groups.journal.push({ number, before: undefined, isOfMembers: true });
    this.membersOf.set(groupId, members);
  }

  /** By default consecutive users, so that each group has others. Undefined for an unknown group. */
  members(
    groupId: string,
    from: number,
    size: number,
  ): { entries: FakeMember[]; next: number | null } | undefined {
    const number = Number(/^group-(\d+)$/.exec(groupId)?.[1] ?? NaN);
    const set = this.membersOf.get(groupId);
    if (!set && !(number < this.groups.count)) return undefined;
    const count = set?.length ?? Math.min(this.membersPerGroup, this.users.count);
    const end = Math.min(from + size, count);
    const entries = Array.from(
      { length: Math.max(0, end - from) },
      (_, offset) => set?.[from + offset] ?? this.memberAt(number, from + offset),
    );
    return { entries, next: end < count ? end : null };
  }

  private memberAt(group: number, index: number): FakeMember {
    const { id, email } = this.users.at((group * this.membersPerGroup + index) % this.users.count);
    return { id, email, kind: 'user' };
  }
}

function person(number: number, domain: string): FakePerson {
  const department = DEPARTMENTS[number % DEPARTMENTS.length] as string;
  return {
    id: `1${String(number).padStart(20, '0')}`,
    email: `user-${number}@${domain}`,
    givenName: `Given${number}`,
    familyName: `Family${number}`,
    title: 'Clerk',
    department,
    phone: `+1 555 ${String(number).padStart(6, '0')}`,
    employeeNumber: `E${number}`,
    orgUnit: `/${department}`,
    isSuspended: false,
  };
}
