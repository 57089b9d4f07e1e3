import { type GuideTexts } from './guide-texts.js';

export const ENGLISH: GuideTexts = {
  steps: {
    app: 'Create the application',
    connect: 'Enter the address and the token',
    attributes: 'Check what is sent',
    people: 'Choose people and groups',
    start: 'Start the synchronization',
    account: 'What is read, and by which account',
    consent: 'Give consent',
  },
  open: (path) => `Go to ${path}.`,
  press: (button) => `Select ${button}.`,
  find: (name) => `Search for ${name} and select it.`,
  enter: (field) => `In ${field}, enter:`,
  choose: (field, option) => `Set ${field} to ${option}.`,
  turnOn: (names) => `Turn on ${names}.`,
  review: 'Review what the application asks for:',
  address: 'the address of the directory',
  token: 'the token',
  advice: {
    token: ({ token }) =>
      `The token is wrong. Create a new one in the step “Enter the address and the token”, and enter it in **${token}** without the word Bearer and without spaces.`,
    forbidden: () =>
      'The directory does not accept this at present. Ask the people who sent you the link.',
    duplicate: ({ mapping }) =>
      `A user or group with this name already exists. Two accounts must not have the same user name: check the attribute that is mapped to \`userName\` under **${mapping}**.`,
    filter: ({ mapping }) =>
      `The search could not be read. Match users by \`userName\`: check the matching attribute under **${mapping}**.`,
    value: ({ mapping, retry }) =>
      `A value is missing or has the wrong form. Correct the attribute that the message names, for the person or under **${mapping}**. Then send it again: **${retry}**.`,
    syntax: ({ mapping }) =>
      `The request could not be read. Undo changes of templates and expressions under **${mapping}**.`,
    readOnly: ({ mapping }) =>
      `An attribute that cannot be changed was sent. Remove it under **${mapping}**.`,
    address: ({ address }) =>
      `The address is not complete. Copy it again into **${address}**, without adding anything.`,
    tooLarge: () => 'The request is too large. Send fewer members or attributes at once.',
    tooMany: () =>
      'Too many requests arrived at once. The provider repeats them; nothing is needed.',
    server: () => 'This is a fault on our side. The provider repeats the request.',
    other: ({ retry }) => `Check what the message says, then send the change again: **${retry}**.`,
  },
};
