import type { LucideIcon } from "lucide-react"

export const Icon = ({ of: Drawing }: { readonly of: LucideIcon }) => (
  <Drawing size={16} strokeWidth={1.5} absoluteStrokeWidth aria-hidden="true" />
)
