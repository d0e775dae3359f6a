import { markArc } from "../../Api/Pages/Mark.ts"

/** The service's mark, beside its name. */
export const Mark = ({ size = 20 }: { readonly size?: number }) => (
  <svg className="service-mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="7" />
    <path d={markArc} />
    <circle cx="16" cy="16" r="2.5" />
  </svg>
)
