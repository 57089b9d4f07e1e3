import { PageCookie } from '@gatehouse/pages';

/** Binds a flow to the browser that opened it. */
export const FLOW_COOKIE = new PageCookie('gatehouse_flow');
