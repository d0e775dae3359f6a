import { Check, Copy } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { Icon } from "./Icon.tsx"

interface Props {
  readonly text: string
  readonly label?: string
  readonly what?: string
  readonly className?: string
  readonly children?: ReactNode
  readonly onCopied?: () => void
}

const useCopy = (text: string, onCopied?: () => void) => {
  const [result, setResult] = useState<"Copied" | "Select and copy it yourself">()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), 2000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setResult("Copied")
      onCopied?.()
    } catch {
      setResult("Select and copy it yourself")
    }
  }
  return { copy, result }
}

export const CopyButton = ({ className, label = "Copy", onCopied, text, what }: Props) => {
  const { copy, result } = useCopy(text, onCopied)
  return (
    <button
      type="button"
      className={className}
      onClick={copy}
      aria-label={what && result === undefined ? `Copy ${what}` : undefined}
    >
      <span aria-live="polite">{result ?? label}</span>
    </button>
  )
}

export const CopyIconButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const { copy, result } = useCopy(text)
  return (
    <button
      type="button"
      className="icon quiet copy-icon"
      title={`Copy ${what}`}
      aria-label={`Copy ${what}`}
      onClick={copy}
    >
      <Icon of={result === "Copied" ? Check : Copy} />
      <span className={result ? "copy-word" : "visually-hidden"} aria-live="polite">{result}</span>
    </button>
  )
}
