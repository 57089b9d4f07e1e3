// An API whose clients need a key: scopes, limits, and a page where each client manages its own keys.
import Fastify from 'fastify';
import { createGatehouse } from '@gatehouse/client';
import { protect } from '@gatehouse/client/fastify';

const gatehouse = createGatehouse();
const app = Fastify();

// Every request counts in each limit of the key, unless it says otherwise.
const reading = protect({ scopes: ['orders:read'], limits: { exports: 0 } });
app.get('/orders', { preHandler: reading }, ({ caller }) => ({
  orders: [{ id: 1, customer: caller.actorId }],
}));

const exporting = protect({ scopes: ['orders:read'], limits: { exports: 10 } });
app.get('/orders/export', { preHandler: exporting }, ({ caller }, reply) =>
  reply.type('text/csv').send(`id,customer\n1,${caller.actorId}\n`),
);

// Your own login says who the user is; here it is a header, so that curl can be one.
app.post('/keys', async ({ headers }, reply) => {
  const { secret } = await gatehouse.keys.issue({
    name: 'Orders',
    actor_id: userOf(headers),
    scopes: ['orders:read'],
    rate_limit_policy: { quota: '100', window: '60s' },
    rate_limits: [{ name: 'exports', quota: '20', window: '3600s' }],
  });
  return reply.code(201).send({ secret });
});
app.get('/keys', async ({ headers }, reply) => {
  const { url } = await gatehouse.portalSessions.create({ actor_id: userOf(headers) });
  return reply.redirect(url, 303);
});

function userOf({ 'x-user': user }) {
  if (user) return user;
  throw Object.assign(new Error('Log in first: send X-User.'), { statusCode: 401 });
}

process.once('SIGTERM', () => app.close());
const port = Number(process.env.PORT ?? 3000);
console.log(`listening on ${await app.listen({ port, host: '127.0.0.1' })}`);
