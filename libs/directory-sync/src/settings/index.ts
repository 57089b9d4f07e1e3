export { BatchesConfig, WorkspaceConfig } from './sync.config.js';
