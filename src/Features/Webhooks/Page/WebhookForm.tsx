import { CheckList } from "../../../Dashboard/Parts/CheckList.tsx"
import { TextField } from "../../../Dashboard/Parts/Field.tsx"
import { useForm } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import { SelectField } from "../../../Dashboard/Parts/Select.tsx"
import { featuresOff } from "../../../Dashboard/Service/ServedPage.ts"
import { type EventType, eventTypes, eventWords } from "../../../Declared/EventType.ts"
import { type WebhookFormat, webhookFormats } from "../../../Declared/WebhookFormat.ts"
import type { Webhook } from "../Webhook.ts"
import { formatTitles, standard } from "./Formats.ts"
import { FormatSample } from "./FormatSample.tsx"
import { useChangeWebhook, useCreateWebhook } from "./Queries.ts"
import { WebhookSecret } from "./WebhookSecret.tsx"

const options = eventTypes.map((value) => ({ value, title: `${value}: ${eventWords[value]}` }))

const formats = webhookFormats
  .filter((value) => value === standard || !featuresOff.includes("alerts"))
  .map((value) => ({ value, title: formatTitles[value] }))

/** Makes a webhook, or changes `webhook`. */
export const WebhookForm = ({ onClose, webhook }: { readonly webhook?: Webhook; readonly onClose: () => void }) => {
  const create = useCreateWebhook()
  const change = useChangeWebhook()
  const events: ReadonlyArray<EventType> = eventTypes.filter((type) => webhook?.events.includes(type) ?? true)
  const hidesUrl = webhook !== undefined && webhook.format !== standard
  const before: WebhookFormat = webhookFormats.find((each) => each === webhook?.format) ?? standard
  const form = useForm(
    { url: hidesUrl ? "" : webhook?.url ?? "", format: before, events },
    [create, change],
    ({ url, ...payload }) =>
      webhook
        ? change.mutate({ id: webhook.id, ...url !== "" && { url }, ...payload }, { onSuccess: onClose })
        : create.mutate({ url, ...payload })
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
        required={!hidesUrl}
        placeholder={hidesUrl ? `${webhook.url}, unless you enter another one` : "https://"}
        {...form.field("url")}
      />
      {formats.length > 1 && (
        <SelectField
          label="Format"
          help="Signed JSON for programs, or a text that people read."
          options={formats}
          {...form.field("format")}
          onChange={(value) => form.set({ format: webhookFormats.find((each) => each === value) ?? standard })}
        />
      )}
      <FormatSample format={form.values.format} />
      <CheckList label="Events" options={options} {...form.field("events")} />
    </FormDialog>
  )
}
