import { envelopeOf } from './envelope.js';

it.each([
  [
    { id: 'a-1', data: 's1.x.y' },
    { id: 'a-1', sealed: 's1.x.y' },
  ],
  [
    { id: 'a-1', response: 's1.x.y' },
    { id: 'a-1', sealed: 's1.x.y' },
  ],
  [{ data: 's1.x.y' }, { sealed: 's1.x.y' }],
])('reads %j', (message, envelope) => {
  expect(envelopeOf(JSON.stringify(message))).toEqual(envelope);
});

it.each([
  '',
  '[]',
  'null',
  '{"id":1,"data":"x"}',
  '{"id":"a","data":{}}',
  '{"id":"a","data":"x"',
  '{ "id": "a", "data": "x" }',
  '{"data":"x","id":1}',
  '{"id":"a","data":"x","more":[{},{}]}',
  `{"id":"${'a'.repeat(65)}","data":"x"}`,
  `[${'{},'.repeat(1_000_000)}{}]`,
])('finds no envelope in any other text, valid JSON included', (text) => {
  expect(envelopeOf(text)).toEqual({});
});
