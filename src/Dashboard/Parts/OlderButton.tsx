interface Props {
  readonly what: string
  readonly className?: string
  readonly pages: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => unknown
  }
}

export const OlderButton = ({ className, pages, what }: Props) =>
  pages.hasNextPage && (
    <button
      type="button"
      className={className}
      disabled={pages.isFetchingNextPage}
      onClick={() => pages.fetchNextPage()}
    >
      Older {what}
    </button>
  )
