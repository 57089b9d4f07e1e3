/** The schema of all tables of directory sync; it names its delivery system. */
export const DSYNC_SCHEMA = 'dsync';
