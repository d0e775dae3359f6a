import { useEffect, useState } from "react"

interface Props {
  readonly text: string
  readonly label?: string
  readonly what?: string
  readonly onCopied?: () => void
}

/** Says "Copied" for two seconds. Without access to the clipboard it says so. */
export const CopyButton = ({ label = "Copy", onCopied, text, what }: Props) => {
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
  return (
    <button type="button" onClick={copy} aria-label={what && result === undefined ? `Copy ${what}` : undefined}>
      <span aria-live="polite">{result ?? label}</span>
    </button>
  )
}
