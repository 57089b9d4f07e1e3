/** Where the management API is served; the second path is the name that Polis uses. */
export const MANAGEMENT_PATHS = ['api/v1/dsync', 'api/v1/directory-sync'];
