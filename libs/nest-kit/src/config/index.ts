export { MessagesConfig, ServiceConfig } from './service.config.js';
export { TracingConfig } from './tracing.config.js';
