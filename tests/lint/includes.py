"""A file includes what it uses, and nothing else.

The order is: own header, system headers, ours, each block sorted.

A use is a name that one of our headers declares (function, struct, enum, enumerator, macro, type), or one of the C
library that SYSTEM lists.  thing.c may rely on what thing.h includes, and a file that includes an internal.h on what
that includes.  Every file may use base/base.h.  `includes.py --fix` rewrites the include lines.
"""

import os
import re
import sys

import report
import source

GRANTED = {'base/base.h', 'stdbool.h', 'stddef.h', 'stdint.h'}
FORMATS = re.compile(r'(PRI|SCN)[a-zA-Z]+\d*$')
# What makes a header needed; "PROT_" stands for PROT_READ and all that begins so.
SYSTEM = {name: words.split() for name, words in {
    'ctype.h': 'isalnum isalpha isdigit islower isprint ispunct isspace isupper isxdigit tolower toupper',
    'dirent.h': 'DIR dirent opendir readdir closedir fdopendir dirfd rewinddir scandir',
    'errno.h': 'errno EACCES EAGAIN EBADF EEXIST EINTR EINVAL EIO EISDIR ENOENT ENOMEM ENOSPC ENOSYS ENOTDIR '
               'ENOTSUP EOPNOTSUPP EPERM EPIPE ERANGE ESRCH EWOULDBLOCK EXDEV ELOOP EMLINK ECHILD ENOTTY EOVERFLOW '
               'EINPROGRESS ENAMETOOLONG EFBIG EROFS E2BIG ENXIO ENODEV',
    'fcntl.h': 'open openat fcntl posix_fadvise posix_fallocate O_ F_ FD_CLOEXEC AT_ POSIX_FADV_',
    'float.h': 'DBL_ FLT_ LDBL_',
    'inttypes.h': 'imaxabs strtoimax strtoumax',
    'langinfo.h': 'nl_langinfo CODESET',
    'limits.h': 'CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN PATH_MAX NAME_MAX '
                'PIPE_BUF SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN SSIZE_MAX UCHAR_MAX UINT_MAX ULLONG_MAX ULONG_MAX '
                'USHRT_MAX IOV_MAX',
    'locale.h': 'setlocale localeconv newlocale uselocale freelocale LC_',
    'math.h': 'acos asin atan atan2 cbrt ceil copysign cos exp exp2 fabs floor fma fmax fmin fmod frexp isfinite '
              'isinf isnan ldexp llrint llround log log10 log2 lrint lround modf nearbyint nextafter pow remainder '
              'rint round scalbn signbit sin sqrt tan tanh trunc sqrtf floorf ceilf fabsf roundf truncf nearbyintf '
              'HUGE_VAL INFINITY NAN M_',
    'poll.h': 'poll pollfd ppoll nfds_t POLLIN POLLOUT POLLERR POLLHUP POLLNVAL',
    'signal.h': 'sigaction signal raise kill sigprocmask sigemptyset sigaddset sigfillset sigdelset sigismember '
                'sigsuspend sigwait sigset_t sig_atomic_t siginfo_t SIG_ SA_ SIGABRT SIGALRM SIGBUS SIGCHLD SIGCONT '
                'SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGQUIT SIGSEGV SIGSTOP SIGTERM SIGTSTP SIGTTIN SIGTTOU '
                'SIGUSR1 SIGUSR2 SIGWINCH SIGSYS SIGTRAP SIGXCPU SIGXFSZ',
    'stdarg.h': 'va_list va_start va_end va_arg va_copy',
    'stdio.h': 'FILE stdin stdout stderr EOF BUFSIZ printf fprintf snprintf vsnprintf vprintf vfprintf dprintf '
               'fopen fdopen fmemopen open_memstream fclose fflush fread fwrite fgets fgetc getc getchar ungetc '
               'fputs fputc putc puts putchar feof ferror clearerr fileno fseek fseeko ftell ftello rewind setvbuf '
               'sscanf fscanf getline getdelim perror remove rename renameat tmpfile SEEK_',
    'stdlib.h': 'abort abs atexit bsearch calloc div exit _Exit free getenv labs llabs malloc mkdtemp mkstemp '
                'posix_memalign qsort rand random realloc realpath secure_getenv setenv srand strtod strtof strtol '
                'strtoll strtoul strtoull unsetenv EXIT_SUCCESS EXIT_FAILURE',
    'string.h': 'memchr memcmp memcpy memmem memmove memrchr memset stpcpy strchr strchrnul strcmp strcoll strcspn '
                'strdup strerror strerror_r strlen strncmp strndup strnlen strpbrk strrchr strsignal strspn strstr '
                'strtok_r',
    'strings.h': 'strcasecmp strncasecmp ffs',
    'sys/file.h': 'flock LOCK_',
    'sys/ioctl.h': 'ioctl winsize TIOCGWINSZ FICLONE FIONREAD',
    'sys/mman.h': 'mmap munmap mprotect madvise posix_madvise PROT_ MAP_ MADV_ POSIX_MADV_',
    'sys/random.h': 'getrandom getentropy',
    'sys/resource.h': 'getrlimit setrlimit getrusage rlimit rusage RLIMIT_ RUSAGE_',
    'sys/select.h': 'select fd_set FD_SET FD_ZERO FD_ISSET',
    'sys/socket.h': 'socket socketpair sendmsg recvmsg AF_ SOCK_',
    'sys/stat.h': 'stat fstat fstatat lstat chmod fchmod fchmodat mkdir mkdirat umask utimensat futimens S_ISREG '
                  'S_ISDIR S_ISLNK S_ISFIFO S_ISCHR S_ISBLK S_ISSOCK S_IF S_IR S_IW S_IX S_ISUID S_ISGID S_ISVTX',
    'sys/syscall.h': 'SYS_',
    'sys/wait.h': 'wait waitpid waitid WIFEXITED WEXITSTATUS WIFSIGNALED WTERMSIG WNOHANG WUNTRACED WIFSTOPPED',
    'termios.h': 'termios tcgetattr tcsetattr cfmakeraw TCSANOW TCSADRAIN TCSAFLUSH ICANON ECHO ISIG VMIN VTIME',
    'time.h': 'time clock clock_gettime nanosleep clock_nanosleep localtime_r gmtime_r localtime gmtime mktime '
              'strftime difftime timespec time_t CLOCK_',
    'unistd.h': 'access chdir close dup dup2 _exit execl execlp execv execvp execve faccessat fchown fdatasync fork '
                'fsync ftruncate getcwd getpid getppid getuid geteuid isatty link linkat lseek pathconf pause pipe '
                'pipe2 pread pwrite read readlink readlinkat rmdir sleep symlink symlinkat syscall sysconf truncate '
                'ttyname unlink unlinkat usleep write alarm getopt optarg optind setsid setpgid getpgrp tcgetpgrp '
                'copy_file_range STDIN_FILENO STDOUT_FILENO STDERR_FILENO F_OK R_OK W_OK X_OK SEEK_ _SC_',
    'wchar.h': 'wint_t mbstate_t mbrtowc wcrtomb mbrlen wcwidth wcswidth wcslen mbsrtowcs WEOF',
    'wctype.h': 'wctype_t wint_t wctype iswctype iswprint iswspace iswalpha iswalnum iswupper iswlower iswdigit '
                'iswcntrl towlower towupper',
}.items()}
SYSTEM_OF = {word: {name for name in SYSTEM if word in SYSTEM[name]} for words in SYSTEM.values() for word in words}


class Uses:
    """The names that tokens use, each with the offset of its first use, by the kind of use."""

    def __init__(self, tokens):
        self.tags, self.pointers, self.calls, self.words = {}, {}, {}, {}
        self.read(tokens)

    def read(self, tokens):
        for i, t in enumerate(tokens):
            if t.kind == 'directive':
                self.read_directive(t)
            if t.kind != 'name':
                continue
            before = tokens[i - 1].text if i else ''
            after = tokens[i + 1].text if i + 1 < len(tokens) else ''
            if before in ('struct', 'union', 'enum'):
                if after not in ('{', ';'):
                    (self.pointers if after == '*' else self.tags).setdefault(t.text, t.at)
            elif before not in ('.', '->'):
                (self.calls if after == '(' else self.words).setdefault(t.text, t.at)

    def read_directive(self, directive):
        if m := source.DEFINE.match(directive.text):
            text, own = m[4], {p.strip() for p in (m[3] or '').split(',')}
        elif source.INCLUDE.match(directive.text):
            return
        else:
            text, own = directive.text, {'defined', 'error'}
        words = source.tokens_of(re.sub(r'\\\n|#', ' ', text))
        self.read([t._replace(at=directive.at) for t in words if t.text not in own])


def system_headers(name):
    """The headers of the C library that declare a name: one of them is needed."""
    if FORMATS.match(name):
        return {'inttypes.h'}
    prefix = re.match(r'_?[A-Z0-9]+_(?=\w)', name)
    return SYSTEM_OF.get(name) or (SYSTEM_OF.get(prefix[0]) if prefix else None)


def is_local_word(name):
    """Whether a name that is not called may be a variable: it keeps an include, but does not ask for one."""
    return name.islower() and not name.endswith('_t') and name not in ('errno', 'stdin', 'stdout', 'stderr')


class Includes:
    def __init__(self, tree):
        self.tree = tree
        self.tags, self.names = {}, {}
        for header in tree.headers:
            for d in header.declared:
                if d.kind == 'tag':
                    self.tags.setdefault(d.name, set()).add(header.path)
                elif d.kind != 'forward' and not d.name.endswith('_H'):
                    self.names.setdefault(d.name, set()).add(header.path)

    def provided(self, file):
        """The headers that a file includes, and those that its own header and an internal.h include."""
        have, todo = set(), [file]
        while todo:
            f = todo.pop()
            for name in {i.name for i in f.includes} - have:
                have.add(name)
                brings = name == file.unit + '.h' or name.endswith('/internal.h')
                if brings and name in self.tree.files:
                    todo.append(self.tree.files[name])
        return have

    def needed(self, file, uses):
        """[(offset, name, headers of which one is needed, whether that is certain)]"""
        own = {d.name for d in file.declared}
        tags = {d.name for d in file.declared if d.kind in ('tag', 'forward')}
        header = self.tree.files.get(file.unit + '.h')
        if header and header is not file:
            tags |= {d.name for d in header.declared if d.kind == 'forward'}
        reached = self.tree.reached(file)
        for pointer, names in ((False, uses.tags), (True, uses.pointers)):
            for name, at in names.items():
                if headers := self.tags.get(name) or system_headers(name):
                    # A pointer to a struct that no included header defines declares it.
                    yield at, name, headers, name not in tags and (not pointer or bool(headers & reached))
        for called, names in ((True, uses.calls), (False, uses.words)):
            for name, at in names.items():
                if headers := self.names.get(name) or system_headers(name):
                    yield at, name, headers, name not in own and (called or not is_local_word(name))

    def check(self, file):
        have, reached = self.provided(file), self.tree.reached(file)
        used, missing = set(), {}
        for at, name, headers, sure in self.needed(file, Uses(file.tokens)):
            used |= headers
            if sure and not headers & (have | GRANTED | {file.path}):
                header = min(headers & reached or headers)  # two headers may have a struct of that name
                missing[header] = min(missing.get(header, (at, name)), (at, name))
        for header, (at, name) in missing.items():
            yield report.Finding('src/' + file.path, file.line(at), f'lacks {header}', f'{name} comes from there')
        used |= self.used_by_rows(file) | self.defined_for(file)
        if order(file) != [(i.system, i.name) for i in rows_apart(file)]:
            yield report.Finding('src/' + file.path, file.line(file.includes[0].at), 'order',
                                 'own header, system, ours; each sorted')
        for include in file.includes:
            if not self.is_used(file, include, used):
                yield report.Finding('src/' + file.path, file.line(include.at), f'{include.name} is not used',
                                    'remove it')

    def used_by_rows(self, file):
        """Headers that the rows of an included .def use: they keep an include, but do not ask for one."""
        used = set()
        todo = [i.name for i in file.includes if i.name.endswith('.def')]
        for name in todo:
            rows = self.tree.files[name]
            todo += [i.name for i in rows.includes if i.name not in todo]
            for tokens in (rows.tokens, file.expanded(rows.tokens)):
                used = used.union(*(n[2] for n in self.needed(file, Uses(tokens))))
        return used

    def defined_for(self, file):
        """Headers that declare what this file defines."""
        return {header for d in file.declared if d.kind in ('function', 'object', 'tag') and not d.static
                for header in self.names.get(d.name, set()) | self.tags.get(d.name, set())}

    def is_used(self, file, include, used):
        if include.name == file.unit + '.h' or include.name.endswith('.def'):
            return True
        checked = include.name in (SYSTEM if include.system else self.tree.files)
        return include.name in used or include.name in GRANTED or not checked


def depth(file, at):
    """How many #if are open there; a header's guard does not count."""
    directives = re.findall(r'^[ \t]*#[ \t]*(if|endif)', file.text[:at], re.M)
    return directives.count('if') - directives.count('endif') - (file.ending == '.h')


def rows_apart(file):
    """The includes whose place we choose: no .def, which is expanded where it stands, and none below #if."""
    return [i for i in file.includes if not i.name.endswith('.def') and depth(file, i.at) <= 0]


def order(file):
    """The includes as they should stand."""
    names = [(i.system, i.name) for i in rows_apart(file)]
    own = [n for n in names if n == (False, file.unit + '.h') and file.ending == '.c']
    rest = [n for n in names if n not in own]
    return own + sorted(n for n in rest if n[0]) + sorted(n for n in rest if not n[0])


def fixed(file, findings):
    """The text of a file with the includes that it lacks and without the unused: own header, system, ours."""
    words = [f.detail.split() for f in findings]
    lacking = {w[1] for w in words if w[0] == 'lacks'}
    unused = {w[0] for w in words if w[0] not in ('lacks', 'order')}
    present = rows_apart(file)
    lines = file.text.split('\n')
    if present:
        start = file.line(present[0].at) - 1
    elif file.ending == '.h':
        start = file.line(file.directives[1].at)  # after the guard
    else:
        start = re.match(r'(/\*.*?\*/\n)?', file.text, re.S)[0].count('\n')
    gone = {file.line(i.at) - 1 for i in present}
    above, below = lines[:start], [line for n, line in enumerate(lines) if n >= start and n not in gone]
    names = [i for i in present if i.name not in unused]
    own = [i for i in names if i.name == file.unit + '.h' and file.ending == '.c']
    names = [(i.system, i.name) for i in names if i not in own] + [(n not in file.tree.files, n) for n in lacking]
    blocks = [[f'#include "{i.name}"' for i in own], [f'#include <{n}>' for system, n in sorted(names) if system],
              [f'#include "{n}"' for system, n in sorted(names) if not system]]
    text = '\n'.join([*above, '', *(line for block in blocks for line in (*block, '')), '', *below])
    return re.sub(r'\n{3,}', '\n\n', text).replace('*/\n\n#include', '*/\n#include', 1).lstrip('\n')


def fix(includes):
    """Twice, because a file may lack what an include removed from its own header provided."""
    for _ in range(2):
        tree = source.Tree(includes.tree.top)
        includes = Includes(tree)
        for file in tree.code:
            if findings := list(includes.check(file)):
                with open(os.path.join(tree.top, 'src', file.path), 'w', encoding='utf-8') as out:
                    out.write(fixed(file, findings))


def main():
    tree = source.Tree()
    includes = Includes(tree)
    if sys.argv[1:] == ['--fix']:
        return fix(includes)
    found = [f for file in tree.code for f in includes.check(file)]
    report.finish(f'{len(tree.code)} files include what they use', found)


if __name__ == '__main__':
    main()
