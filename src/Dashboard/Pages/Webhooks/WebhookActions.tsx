import { useState } from "react"
import type { Webhook, WebhookChange } from "../../../Domain/Events/Webhook.ts"
import { Confirm } from "../../Parts/Confirm.tsx"
import { Dialog } from "../../Parts/Dialog.tsx"
import { ErrorNotice } from "../../Parts/ErrorNotice.tsx"
import { useServiceMutation } from "../../Service/Queries.ts"

export const WebhookActions = ({ onChange, onDeleted, webhook }: {
  readonly webhook: Webhook
  readonly onChange: () => void
  readonly onDeleted: () => void
}) => {
  const { enabled, id } = webhook
  const [deleting, setDeleting] = useState(false)
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
      <button type="button" onClick={() => setDeleting(true)}>Delete</button>
      {deleting && (
        <DeleteWebhook
          webhook={webhook}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
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
