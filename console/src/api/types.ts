import type { components, paths } from '../../../clients/typescript/src/schema.d.ts';

type Schemas = components['schemas'];

export type Assistant = Schemas['Assistant'];
export type NewAssistant = Schemas['NewAssistant'];
export type AssistantUpdate = Schemas['AssistantUpdate'];
export type KnowledgeBase = Schemas['KnowledgeBaseRecord'];
export type FoundPassage = Schemas['FoundPassage'];
export type Session = Schemas['Session'];
export type Log = Schemas['Log'];
export type Credential = Schemas['Credential'];
export type NewCredential = Schemas['NewCredential'];
export type Event = Schemas['Event'];
export type Webhook = Schemas['Webhook'];
export type NewWebhook = Schemas['NewWebhook'];
export type WebhookUpdate = Schemas['WebhookUpdate'];
export type Delivery = Schemas['Delivery'];
export type Stats = Schemas['Stats'];
export type Series = Schemas['Analytics']['series'];
export type Prices = Schemas['Prices'];
export type ApiKey = Schemas['ApiKey'];
export type IssuedApiKey = Schemas['IssuedApiKey']['data'];
export type NewApiKey = Schemas['NewApiKey'];
export type QuotaUse =
  paths['/protected']['get']['responses'][200]['content']['application/json']['data']['quotas'][number];
export type Version = Schemas['Version'];
export type Live = Schemas['Live'];
export type LiveChange = Schemas['LiveChange'];
export type Publication = Schemas['Publication'];
export type Change = Schemas['Change'];
export type ChatRequest = Schemas['ChatRequest'];
export type ChatFacts = Schemas['ChatFacts'];
export type ToolResult = Schemas['ToolResult'];
export type NewWebCall = Schemas['NewWebCall'];
export type WebCall = Schemas['WebCall'];
