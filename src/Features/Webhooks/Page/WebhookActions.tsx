import { useState } from "react"
import { useLocation } from "wouter"
import { Confirm } from "../../../Dashboard/Parts/Confirm.tsx"
import { Dialog } from "../../../Dashboard/Parts/Dialog.tsx"
import { ErrorNotice } from "../../../Dashboard/Parts/ErrorNotice.tsx"
import { confirming } from "../../../Dashboard/Parts/Form.ts"
import { FormDialog } from "../../../Dashboard/Parts/FormDialog.tsx"
import type { Webhook } from "../Webhook.ts"
import { standard } from "./Formats.ts"
import { FormatSample } from "./FormatSample.tsx"
import { useChangeWebhook, useDeleteWebhook, useReplaceSecret, useTestWebhook } from "./Queries.ts"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookSecret } from "./WebhookSecret.tsx"

export const WebhookActions = ({ webhook }: { readonly webhook: Webhook }) => {
  const { enabled, format, id } = webhook
  const isStandard = format === standard
  const [open, setOpen] = useState<"change" | "secret" | "delete" | "sample">()
  const close = () => setOpen(undefined)
  const change = useChangeWebhook()
  const test = useTestWebhook()
  const error = change.error ?? (isStandard ? test.error : null)
  return (
    <>
      <button
        type="button"
        disabled={test.isPending}
        onClick={() => isStandard ? test.mutate(id) : setOpen("sample")}
      >
        {isStandard ? test.isSuccess ? "Test sent" : "Test" : "Send a sample"}
      </button>
      <button type="button" disabled={change.isPending} onClick={() => change.mutate({ id, enabled: !enabled })}>
        {enabled ? "Switch off" : "Switch on"}
      </button>
      <button type="button" onClick={() => setOpen("change")}>Change</button>
      <button type="button" onClick={() => setOpen("secret")}>New secret</button>
      <button type="button" onClick={() => setOpen("delete")}>Delete</button>
      {open === "change" && <WebhookForm webhook={webhook} onClose={close} />}
      {open === "delete" && <DeleteWebhook webhook={webhook} onClose={close} />}
      {open === "secret" && <ReplaceSecret webhook={webhook} onClose={close} />}
      {open === "sample" && (
        <FormDialog
          title={`Send a sample to ${webhook.url}`}
          action="Send the sample"
          busy={test.isPending}
          error={test.error}
          onSubmit={() => test.mutate(id, { onSuccess: close })}
          onClose={close}
        >
          <p>This text arrives there. Then look at the place itself: some services accept what they do not show.</p>
          <FormatSample format={format} />
        </FormDialog>
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

interface DialogProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

const ReplaceSecret = ({ onClose, webhook }: DialogProps) => {
  const replace = useReplaceSecret()
  if (replace.data) return <WebhookSecret title="The new secret" secret={replace.data.secret} onClose={onClose} />
  return (
    <Confirm
      title={`Replace the secret of ${webhook.url}?`}
      action="Make a new secret"
      {...confirming(replace, webhook.id)}
      onClose={onClose}
    >
      <p>For 24 hours, events are signed with both secrets. Give the receiver the new one in that time.</p>
    </Confirm>
  )
}

const DeleteWebhook = ({ onClose, webhook }: DialogProps) => {
  const [, navigate] = useLocation()
  return (
    <Confirm
      title={`Delete ${webhook.url}?`}
      action="Delete the webhook"
      {...confirming(useDeleteWebhook(), webhook.id, () => navigate("/webhooks"))}
      onClose={onClose}
    >
      <p>
        No more events are sent to it. Its secret and the list of its deliveries are deleted. To pause it, switch it
        off.
      </p>
    </Confirm>
  )
}
