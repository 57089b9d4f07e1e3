export { MessagingServiceConfig, ServiceConfig } from './service.config.js';
