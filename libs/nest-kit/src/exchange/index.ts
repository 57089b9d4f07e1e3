export { EventPublisher } from './event-publisher.js';
export { EXCHANGE } from './exchange.token.js';
export { MessageClient } from './message-client.js';
export { MessageContext } from './message-context.js';
export { type OpenExchange, openRedisExchange } from './open-exchange.js';
