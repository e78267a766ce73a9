/** stub */
export async function doctor(_v: string, _j: boolean): Promise<number> { return 0; }
