import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/testing';
import { type JsonResponse, send } from './http.js';
import { PageSession } from './page-session.js';
import { type Story } from './story.js';

interface Onboarding {
  /** Address of the management API. */
  management: string;
  directoryId: string;
  headers: Record<string, string>;
  /** Acts as the provider, with the token that the pages have shown. */
  provision: (token: string) => Promise<void>;
}

/**
 * An application sends a setup link to the administrator of a customer, who follows its pages: opens the
 * link, chooses Okta, takes a token, and sees that its requests arrive. Groups give roles meanwhile.
 */
export async function showOnboarding(story: Story, onboarding: Onboarding): Promise<void> {
  const { management, directoryId, headers, provision } = onboarding;
  const link = await story.step('Create a setup link for a customer', async (note) => {
    const { body } = await send<{ data: { url: string } }>('POST', `${management}/setup-links`, {
      headers,
      expect: 201,
      json: { directory_id: directoryId, expires_in: '1h', locale: 'en' },
    });
    note('its address opens once, and is kept as a hash');
    return body.data.url;
  });
  await story.step('Map its group Administrators to the role admin', async (note) => {
    const group = { display_name: 'Administrators' };
    await send('PUT', `${management}/${directoryId}/role-mappings`, {
      headers,
      json: { default_role: 'member', mode: 'highest', rules: [{ group, role: 'admin' }] },
    });
    note('the group does not exist yet');
  });
  const pages = await story.step('The customer opens the link', async (note) => {
    const opened = await PageSession.open(link);
    await opened.get('/provider');
    await send('GET', link, { expect: 410 });
    note('a session in this browser; elsewhere the link is gone (410)');
    return opened;
  });
  const token = await story.step('The customer chooses Okta, and takes a token', async (note) => {
    await pages.submit('/provider', { provider: 'okta' });
    const { text } = await findForm(pages, '/token');
    const shown = await pages.submitForm(text, {});
    const [, value = ''] = /class="token".*?<code[^>]*>([^<]+)</s.exec(shown.text) ?? [];
    assert.match(value, /^gate_scim/);
    note('shown once; the page names each field of Okta');
    return value;
  });
  await story.step('Okta provisions a user and a group with the token', () => provision(token));
  await story.step('The pages show that it works, and the customer finishes', async (note) => {
    const { text } = await eventually(async () => {
      const page = await pages.get('/check');
      assert.match(page.text, /<form/);
      return page;
    });
    assert.equal(text.match(/class="is-seen"/g)?.length, 3);
    await pages.submitForm(text, {});
    await pages.get('/provider', 410);
    note('first request, first user and first group seen; the session has ended');
  });
}

/** The first step that has the form with this action. */
async function findForm(pages: PageSession, action: string): Promise<JsonResponse<unknown>> {
  for (let number = 1; ; number += 1) {
    const page = await pages.get(`/steps/${number}`);
    if (page.text.includes(`${action}"`)) return page;
  }
}
