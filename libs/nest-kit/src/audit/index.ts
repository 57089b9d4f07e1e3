export { AuditWriter } from './audit-writer.js';
export { AuditModule } from './audit.module.js';
export { ADMIN_DENIED } from './denied-calls.js';
