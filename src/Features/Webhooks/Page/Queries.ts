import type { Of } from "../../../Dashboard/Service/Lists.ts"
import { resource } from "../../../Dashboard/Service/Queries.ts"
import type { NewWebhook, WebhookChange } from "../Webhook.ts"

export const {
  useChange: useChangeWebhook,
  useCreate: useCreateWebhook,
  useDelete: useDeleteWebhook,
  useReplaceSecret,
  useTest: useTestWebhook
} = resource("webhooks", ({ webhooks }, query) => webhooks.list({ query }), {}, (change) => ({
  useCreate: change(({ webhooks }, payload: NewWebhook) => webhooks.create({ payload })),
  useChange: change(({ webhooks }, { id, ...payload }: Of<WebhookChange>) =>
    webhooks.change({ params: { id }, payload })
  ),
  useDelete: change(({ webhooks }, id: string) => webhooks.delete({ params: { id } })),
  useReplaceSecret: change(({ webhooks }, id: string) => webhooks.replaceSecret({ params: { id } }), ["audit"]),
  useTest: change(({ webhooks }, id: string) => webhooks.test({ params: { id } }), ["deliveries"])
}))
