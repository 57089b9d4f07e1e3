export { MessageContext } from './message-context.js';
export { EventPublisher, MessageClient, MessagingModule } from './messaging.module.js';
export { NamespacedRedisClient } from './redis-transport.js';
export { SealedMessages } from './sealed-messages.js';
