/** The page while there is no other: what the server has, as links to what it answers. Every text is escaped. */
import { type ListedConversation, UNTITLED } from '../view/conversation-list.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function listPage(conversations: readonly Pick<ListedConversation, 'id' | 'title'>[]): string {
  const rows = conversations.map(
    ({ id, title }) =>
      `<li><a href="/api/c/${escaped(encodeURIComponent(id))}/view">${escaped(title || UNTITLED)}</a> ${escaped(id)}</li>`,
  );
  return pageOf('Conversations', `<h1>Conversations</h1><ul>${rows.join('')}</ul>${ROUTES}`);
}

/** The same page whatever the id: whether there is such a conversation, the route says. */
export function conversationPage(id: string): string {
  const link = `/api/c/${encodeURIComponent(id)}/view`;
  return pageOf(id, `<h1>${escaped(id)}</h1><p><a href="${escaped(link)}">its document</a></p>${ROUTES}`);
}

const ROUTES = `<h2>What this server answers</h2><ul>${[
  '/api/status',
  '/api/conversations',
  '/api/glossary?dialect=D',
  '/api/c/{id}/view?hide=system_prompt,tool_schemas',
  '/api/c/{id}/record/{seq}/{row}',
  '/api/c/{id}/files?seq=N',
  '/api/events',
  '/api/search?q=WORDS&limit=N',
]
  .map((route) => `<li><code>${escaped(route)}</code></li>`)
  .join('')}</ul>`;

function pageOf(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>${body}</body></html>\n`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}
