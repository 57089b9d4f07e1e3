import { eventually } from '@gatehouse/testing';
import { type AuditRecord } from '@gatehouse/kit/audit';
import { DeniedCalls } from './denied-calls.js';

let events: AuditRecord[];
const deniedCalls = (intervalMs?: number) =>
  new DeniedCalls({ recordInBackground: (event) => void events.push(event) }, intervalMs);
const call = (ip: string, caller = '') => ({ caller, ip, requestId: 'r' });
const details = { status: 401 };
const leftOut = () => events.flatMap((event) => event.details.left_out ?? []);

beforeEach(() => {
  events = [];
});

it('writes who called, from where, and what for', () => {
  deniedCalls().note(call('192.0.2.1', 'key-1'), details);
  expect(events).toMatchObject([
    { type: 'admin.denied', caller: 'key-1', ip: '192.0.2.1', request_id: 'r', details },
  ]);
});

it('writes at most 10 calls of one key or address, and counts the others', () => {
  const subject = deniedCalls();
  for (let time = 0; time < 15; time += 1) {
    subject.note(call('192.0.2.1'), details);
    subject.note(call(`192.0.2.${time + 2}`, 'key-1'), details);
  }
  expect(events).toHaveLength(20);
  subject.onModuleDestroy();
  expect(leftOut()).toEqual([10]);
});

it('writes at most 60 calls in all, from however many addresses', () => {
  const subject = deniedCalls();
  for (let host = 0; host < 200; host += 1) subject.note(call(`192.0.2.${host}`), details);
  expect(events).toHaveLength(60);
  subject.onModuleDestroy();
  expect(leftOut()).toEqual([140]);
});

it('begins anew after the interval, and says then what it left out', async () => {
  const subject = deniedCalls(20);
  for (let time = 0; time < 12; time += 1) subject.note(call('192.0.2.1'), details);
  await eventually(() => expect(leftOut()).toEqual([2]));
  subject.note(call('192.0.2.1'), details);
  expect(events).toHaveLength(12);
  subject.onModuleDestroy();
});
