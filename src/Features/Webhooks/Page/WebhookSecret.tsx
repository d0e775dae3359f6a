import { SecretDialog } from "../../../Dashboard/Parts/SecretDialog.tsx"

const example = `// npm install standardwebhooks
import { Webhook } from "standardwebhooks"

// Throws when the event is not from this service. \`body\` is the text as it came.
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers)`

export const WebhookSecret = ({ onClose, secret, title }: {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
}) => (
  <SecretDialog
    title={title}
    name="secret"
    secret={secret}
    example={{ label: "Check signatures with it", text: example }}
    onClose={onClose}
  />
)
