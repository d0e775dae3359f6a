import { CopyIconButton } from "./CopyButton.tsx"

const shorten = (id: string): string => id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id

export const Id = ({ id }: { readonly id: string }) => (
  <span className="id">
    <code title={id}>{shorten(id)}</code>
    <CopyIconButton text={id} what={id} />
  </span>
)
