import { useState } from "react"
import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { fieldErrors } from "../../../Dashboard/Parts/FieldErrors.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import { eventTypes, eventWords } from "../../../Declared/EventType.ts"
import type { NewWebhook, Webhook } from "../Webhook.ts"
import { WebhookSecret } from "./WebhookSecret.tsx"

const options = eventTypes.map((value) => ({ value, title: `${value}: ${eventWords[value]}` }))

export const WebhookForm = (
  { onClose, webhook }: { readonly webhook: Webhook | undefined; readonly onClose: () => void }
) => {
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [chosen, setChosen] = useState<ReadonlyArray<string>>(webhook?.events ?? eventTypes)
  const events = eventTypes.filter((type) => chosen.includes(type))
  const create = useServiceMutation(
    (service, payload: NewWebhook) => service.webhooks.create({ payload }),
    ["webhooks"]
  )
  const change = useServiceMutation(
    (service, { id, ...payload }: NewWebhook & { readonly id: string }) =>
      service.webhooks.change({ params: { id }, payload }),
    ["webhooks"]
  )
  const errors = fieldErrors(create.error ?? change.error, ["url", "events"])
  if (create.data) return <WebhookSecret title="The webhook is ready" secret={create.data.secret} onClose={onClose} />
  const submit = () => {
    if (webhook) change.mutate({ id: webhook.id, url, events }, { onSuccess: onClose })
    else create.mutate({ url, events })
  }
  return (
    <FormDialog
      title={webhook ? "Change the webhook" : "Make a webhook"}
      action={webhook ? "Change the webhook" : "Make the webhook"}
      busy={create.isPending || change.isPending}
      error={errors.unplaced}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="URL"
        help="Events are posted to it. An https URL with a public address."
        error={errors.of("url")}
        type="url"
        required
        autoFocus
        placeholder="https://"
        value={url}
        onChange={setUrl}
      />
      <CheckList label="Events" options={options} chosen={chosen} empty="" onChange={setChosen} />
      {errors.of("events") !== undefined && <p className="field-error" role="alert">{errors.of("events")}</p>}
    </FormDialog>
  )
}
