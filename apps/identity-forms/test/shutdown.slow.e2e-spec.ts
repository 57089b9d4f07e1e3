/** Requests while a process shuts down. */
import { stopInFlight } from '@gatehouse/testing';
import { type FormsStack, openFormsStack } from './forms-stack.js';

let stack: FormsStack;
beforeAll(async () => {
  stack = await openFormsStack();
});
afterAll(() => stack.close());

it('answers every request in flight before it ends', async () => {
  const service = await stack.start();
  const { client } = service;
  await client.schema('leaving', { properties: { name: { type: 'string' } } });
  const send = () => client.admin('POST', '/v1/flows', { kind: 'sign-up', schema_id: 'leaving' });
  await send();
  const held = { databaseUrl: stack.database.url, table: 'forms.flows', send };
  const { outcomes, exitCode } = await stopInFlight(service, held);
  expect(outcomes).toEqual(Array.from({ length: 10 }, () => 201));
  expect(exitCode).toBe(0);
});
