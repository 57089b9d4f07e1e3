import { KeyRing } from '@gatehouse/crypto';
import { RecentIds } from './recent-ids.js';
import { SealedMessages } from './sealed-messages.js';

const ring = KeyRing.fromTexts(['m'.repeat(32)]);
const asker = new SealedMessages(ring, 'dsync-api');
const neighbor = new SealedMessages(ring, 'identity-forms');
const answerer = () => new SealedMessages(ring, 'key-service');

describe('SealedMessages', () => {
  afterEach(() => jest.useRealTimers());

  it('opens a request once, with its sender', () => {
    const sealed = asker.sealRequest('keys.verify', 'id-1', { n: 1 });
    const subject = answerer();
    const opened = { sender: 'dsync-api', data: { n: 1 } };
    expect(subject.openRequest('keys.verify', 'id-1', sealed)).toEqual(opened);
    expect(subject.openRequest('keys.verify', 'id-1', sealed)).toBeUndefined();
  });

  it('opens no request that is older than 30 s, and none from the future', () => {
    jest.useFakeTimers();
    const sealed = asker.sealRequest('keys.verify', 'id-1', {});
    for (const seconds of [31, -31]) {
      jest.setSystemTime(Date.now() + seconds * 1000);
      expect(answerer().openRequest('keys.verify', 'id-1', sealed)).toBeUndefined();
      jest.setSystemTime(Date.now() - seconds * 1000);
    }
    expect(answerer().openRequest('keys.verify', 'id-1', sealed)).toBeDefined();
  });

  it('opens no request twice when the clock is set back to its time', () => {
    jest.useFakeTimers();
    const sealed = asker.sealRequest('keys.verify', 'id-1', {});
    const subject = answerer();
    const sentMs = Date.now();
    expect(subject.openRequest('keys.verify', 'id-1', sealed)).toBeDefined();
    jest.advanceTimersByTime(300_000);
    jest.setSystemTime(sentMs);
    expect(subject.openRequest('keys.verify', 'id-1', sealed)).toBeUndefined();
  });

  it('opens a reply for the service and the request that it answers only', () => {
    const reply = answerer().sealReply('keys.verify', 'id-1', 'dsync-api', { response: 1 });
    expect(asker.openReply('keys.verify', 'id-1', reply)?.data).toEqual({ response: 1 });
    expect(neighbor.openReply('keys.verify', 'id-1', reply)).toBeUndefined();
    expect(asker.openReply('keys.verify', 'id-2', reply)).toBeUndefined();
    expect(asker.openReply('forms.decode', 'id-1', reply)).toBeUndefined();
  });

  it('opens the events of a message in order, each with their sender', () => {
    const sealed = answerer().sealEvents('key.issued', [{ n: 1 }, { n: 2 }]);
    expect(asker.openEvents('key.issued', sealed)).toEqual([
      { sender: 'key-service', data: { n: 1 } },
      { sender: 'key-service', data: { n: 2 } },
    ]);
    expect(asker.openEvents('key.revoked', sealed)).toEqual([]);
  });

  it.each([undefined, 7, '', '{"sender":"key-service"}', { response: 1 }])(
    'opens nothing that was not sealed: %j',
    (text) => {
      expect(answerer().openRequest('keys.verify', 'id-1', text)).toBeUndefined();
      expect(asker.openReply('keys.verify', 'id-1', text)).toBeUndefined();
      expect(asker.openEvents('key.issued', text)).toEqual([]);
    },
  );
});

describe('RecentIds', () => {
  it('remembers an id for its time at least, and forgets it after twice that', () => {
    const ids = new RecentIds(1000);
    expect(ids.add('a', 0)).toBe(true);
    expect(ids.add('b', 1500)).toBe(true);
    expect(ids.add('b', 2400)).toBe(false);
    expect(ids.add('a', 5000)).toBe(true);
  });

  it('refuses new ids when it is full', () => {
    const ids = new RecentIds(60_000);
    for (let n = 0; n < 100_000; n += 1) ids.add(String(n), 1);
    expect(ids.add('one more', 2)).toBe(false);
  });
});
