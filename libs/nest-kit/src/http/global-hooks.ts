import { type FastifyInstance } from 'fastify';
import { type BodyBudget } from './body-budget.js';
import { drainUnreadBodies, refuseUnknownAddresses } from './early-answers.js';
import { type HttpDrain } from './http-drain.js';
import { checkHttpRequirements } from './http-requirements.js';
import { type RequestSteps } from './request-steps.js';
import { type RouteTable } from './route-table.js';

interface GlobalHooks {
  steps: RequestSteps;
  routes: RouteTable;
  drain: HttpDrain;
  bodies: BodyBudget;
}

/**
 * Registers all global hooks of the kit. Direct routes run no hooks, so work for all requests
 * belongs to RequestSteps. A comment on each hook here says why direct routes do not need it.
 */
export function registerGlobalHooks(
  fastify: FastifyInstance,
  { steps, routes, drain, bodies }: GlobalHooks,
): void {
  // Sees routes as they are registered, not requests.
  routes.watch(fastify);
  steps.register(fastify);
  // A request without a Host, or with an expectation, is left to Fastify.
  checkHttpRequirements(fastify);
  // A direct route matches a known path and its method.
  refuseUnknownAddresses(fastify);
  // A direct route answers only after it has read the whole body.
  drainUnreadBodies(fastify);
  // A direct route accepts only small bodies that have arrived.
  bodies.register(fastify);
  // A direct route asks the drain before it writes its response.
  drain.register(fastify);
}
