// @ts-nocheck
// biome-ignore-all lint: written as users may write it
const replace = (_value: any, _context: any) =>
  function (this: any) {
    return 7;
  } as any;
class Decorated {
  @replace m() {
    return 1;
  }
}

export async function decorators({ works }: any) {
  await works("decorated method", () => new Decorated().m(), [], 7);
}
