/** Injection token of the WorkspaceRuns object. */
export const WORKSPACE_RUNS = Symbol('WORKSPACE_RUNS');

/** Injection token of the WorkspacePush object; null if providers cannot send notifications here. */
export const WORKSPACE_PUSH = Symbol('WORKSPACE_PUSH');

/** Injection token of the access to workspace directories. */
export const WORKSPACE_SESSIONS = Symbol('WORKSPACE_SESSIONS');
