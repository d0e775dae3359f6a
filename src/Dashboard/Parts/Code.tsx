import { CopyButton } from "./CopyButton.tsx"

export const Code = (
  { onCopied, text, what }: { readonly text: string; readonly what: string; readonly onCopied?: () => void }
) => (
  <div className="code">
    <code>{text}</code>
    <CopyButton text={text} what={what} {...onCopied && { onCopied }} />
  </div>
)
