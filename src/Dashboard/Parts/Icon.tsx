const paths = {
  ok: "M3 8.5l3.2 3.2L13 5",
  attention: "M8 3v6M8 12.2v.6",
  error: "M4 4l8 8M12 4l-8 8",
  off: "M3.5 8h9",
  copy: "M6 6V3h7v7h-3M3 6h7v7H3z",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  close: "M4 4l8 8M12 4l-8 8",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  next: "M6 3.5L10.5 8 6 12.5"
}

export type IconName = keyof typeof paths

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)
