import { type ReactNode, useState } from "react"
import { Code } from "./Code.tsx"
import { Dialog } from "./Dialog.tsx"

export const SecretDialog = ({ example, name, onClose, secret, title }: {
  readonly title: string
  readonly name: string
  readonly secret: string
  readonly example: { readonly label: ReactNode; readonly text: string }
  readonly onClose: () => void
}) => {
  const [copied, setCopied] = useState(false)
  const [asked, setAsked] = useState(false)
  const close = () => copied || asked ? onClose() : setAsked(true)
  const onCopied = () => setCopied(true)
  return (
    <Dialog title={title} onClose={close}>
      <p>This is the only time it is shown.</p>
      <div className="secret">
        <Code text={secret} what={`the ${name}`} onCopied={onCopied} />
      </div>
      <div className="field">
        <span className="label">{example.label}</span>
        <Code text={example.text} what="the example" onCopied={onCopied} />
      </div>
      {asked && !copied && (
        <p className="notice attention" role="alert">The {name} was not copied. Close again to lose it.</p>
      )}
      <div className="dialog-actions">
        <button type="button" className="primary" onClick={close}>Done</button>
      </div>
    </Dialog>
  )
}
