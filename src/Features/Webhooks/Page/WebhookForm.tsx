import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { useForm } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { type EventType, eventTypes, eventWords } from "../../../Declared/EventType.ts"
import type { Webhook } from "../Webhook.ts"
import { useChangeWebhook, useCreateWebhook } from "./Queries.ts"
import { WebhookSecret } from "./WebhookSecret.tsx"

const options = eventTypes.map((value) => ({ value, title: `${value}: ${eventWords[value]}` }))

/** Makes a webhook, or changes `webhook`. */
export const WebhookForm = ({ onClose, webhook }: { readonly webhook?: Webhook; readonly onClose: () => void }) => {
  const create = useCreateWebhook()
  const change = useChangeWebhook()
  const events: ReadonlyArray<EventType> = eventTypes.filter((type) => webhook?.events.includes(type) ?? true)
  const form = useForm(
    { url: webhook?.url ?? "", events },
    [create, change],
    (payload) =>
      webhook ? change.mutate({ id: webhook.id, ...payload }, { onSuccess: onClose }) : create.mutate(payload)
  )
  if (create.data) return <WebhookSecret title="The webhook is ready" secret={create.data.secret} onClose={onClose} />
  return (
    <FormDialog
      title={webhook ? "Change the webhook" : "Make a webhook"}
      action={webhook ? "Change the webhook" : "Make the webhook"}
      {...form.dialog}
      onClose={onClose}
    >
      <TextField
        label="URL"
        help="Events are posted to it. An https URL with a public address."
        type="url"
        required
        placeholder="https://"
        {...form.field("url")}
      />
      <CheckList label="Events" options={options} {...form.field("events")} />
    </FormDialog>
  )
}
