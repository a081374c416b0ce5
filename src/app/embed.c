/*
 * A build tool, not part of the program: writes a file as the C array of demo.h.
 */
#include <stdio.h>

int main(int count, char **words)
{
	FILE *in = count == 3 ? fopen(words[1], "rb") : NULL;
	FILE *out = in ? fopen(words[2], "w") : NULL;
	size_t size = 0;
	int byte;

	if (!out) {
		fprintf(stderr, "usage: embed FILE OUT.c\n");
		return 1;
	}
	fprintf(out, "#include \"app/demo.h\"\n\nconst unsigned char demo_model[] = {");
	for (; (byte = fgetc(in)) != EOF; size++)
		fprintf(out, "%s%d,", size % 24 ? "" : "\n", byte);
	fprintf(out, "\n};\nconst size_t demo_model_size = %zu;\n", size);
	fclose(in);
	return fclose(out) != 0;
}
