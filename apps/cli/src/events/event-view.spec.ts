import { eventLine } from './event-view.js';

it('an event is one line, whatever names a provider sends', () => {
  const event = {
    event: 'group.created',
    data: { name: 'staff\n00:00:00 user.deleted\x1b[2J' },
    id: 'id',
    sequence: 1,
    created_at: '2026-01-01T00:00:00Z',
  };
  expect(eventLine(event)).toMatch(/staff\\n00:00:00 user\.deleted\\x1b\[2J {2}id$/);
});
