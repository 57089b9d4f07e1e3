/** Injection token of the RoleJobs object. */
export const ROLE_JOBS = Symbol('ROLE_JOBS');
