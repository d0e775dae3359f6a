import { useState } from "react"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { useServiceMutation } from "../../../Dashboard/Service/Queries.ts"
import type { Webhook, WebhookChange } from "../Webhook.ts"
import { WebhookSecret } from "./WebhookSecret.tsx"

export const WebhookActions = ({ onChange, onDeleted, webhook }: {
  readonly webhook: Webhook
  readonly onChange: () => void
  readonly onDeleted: () => void
}) => {
  const { enabled, id } = webhook
  const [deleting, setDeleting] = useState(false)
  const [replacing, setReplacing] = useState(false)
  const change = useServiceMutation(
    (service, payload: WebhookChange) => service.webhooks.change({ params: { id }, payload }),
    ["webhooks"]
  )
  const test = useServiceMutation((service) => service.webhooks.test({ params: { id } }), ["deliveries"])
  const error = change.error ?? test.error
  return (
    <>
      <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isSuccess ? "Test sent" : "Test"}
      </button>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ enabled: !enabled })}
      >
        {enabled ? "Switch off" : "Switch on"}
      </button>
      <button type="button" onClick={onChange}>Change</button>
      <button type="button" onClick={() => setReplacing(true)}>New secret</button>
      <button type="button" onClick={() => setDeleting(true)}>Delete</button>
      {deleting && (
        <DeleteWebhook
          webhook={webhook}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
      {replacing && <ReplaceSecret webhook={webhook} onClose={() => setReplacing(false)} />}
      {error && (
        <Dialog
          title="It did not work"
          onClose={() => {
            change.reset()
            test.reset()
          }}
        >
          <ErrorNotice error={error} />
        </Dialog>
      )}
    </>
  )
}

const ReplaceSecret = ({ onClose, webhook }: { readonly webhook: Webhook; readonly onClose: () => void }) => {
  const replace = useServiceMutation(
    (service, id: string) => service.webhooks.replaceSecret({ params: { id } }),
    ["audit"]
  )
  if (replace.data) return <WebhookSecret title="The new secret" secret={replace.data.secret} onClose={onClose} />
  return (
    <Confirm
      title={`Replace the secret of ${webhook.url}?`}
      action="Make a new secret"
      busy={replace.isPending}
      error={replace.error}
      onClose={onClose}
      onConfirm={() => replace.mutate(webhook.id)}
    >
      <p>For 24 hours, events are signed with both secrets. Give the receiver the new one in that time.</p>
    </Confirm>
  )
}

const DeleteWebhook = ({ onClose, onDeleted, webhook }: {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onDeleted: () => void
}) => {
  const remove = useServiceMutation((service, id: string) => service.webhooks.delete({ params: { id } }), ["webhooks"])
  return (
    <Confirm
      title={`Delete ${webhook.url}?`}
      action="Delete the webhook"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate(webhook.id, { onSuccess: onDeleted })}
    >
      <p>
        No more events are sent to it. Its secret and the list of its deliveries are deleted. To pause it, switch it
        off.
      </p>
    </Confirm>
  )
}
