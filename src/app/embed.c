/*
 * A build tool, not part of the program: writes files as the C arrays of demo.h and
 * themes.h.  usage: embed HEADER OUT.c NAME FILE [NAME FILE...]
 */
#include <stdio.h>

static int embed(FILE *out, const char *name, const char *path)
{
	FILE *in = fopen(path, "rb");
	size_t size = 0;
	int byte;

	if (!in)
		return 1;
	fprintf(out, "\nconst unsigned char %s[] = {", name);
	for (; (byte = fgetc(in)) != EOF; size++)
		fprintf(out, "%s%d,", size % 24 ? "" : "\n", byte);
	fprintf(out, "\n};\nconst size_t %s_size = %zu;\n", name, size);
	return fclose(in) != 0;
}

int main(int count, char **words)
{
	FILE *out = count >= 5 ? fopen(words[2], "w") : NULL;
	int bad = 0;

	if (!out) {
		fprintf(stderr, "usage: embed HEADER OUT.c NAME FILE...\n");
		return 1;
	}
	fprintf(out, "#include \"%s\"\n", words[1]);
	for (int i = 3; i + 1 < count; i += 2)
		bad |= embed(out, words[i], words[i + 1]);
	return fclose(out) != 0 || bad;
}
